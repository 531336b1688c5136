# Of slices: sliced-ready: partners that are left out never take part; sliced-commits: none of them is in a committed location.
s/#include "check\/transitions.h"/&\n#include "base\/testbuild.h"/
s/if (meeting.count && (meeting.is_whole ||/if (meeting.count \&\& !(PLANTED("sliced-ready") \&\& !meeting.is_whole) \&\& (meeting.is_whole ||/
s/meeting.may_commit |= may_commit/meeting.may_commit |= !PLANTED("sliced-commits") \&\& may_commit/
s/if (keeps(transitions, p) && (location->committed/if ((keeps(transitions, p) || PLANTED("sliced-still")) \&\& (location->committed/
s/if (keeps(transitions, p) && location_of/if ((keeps(transitions, p) || PLANTED("sliced-committed")) \&\& location_of/
