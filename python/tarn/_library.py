"""The shared library and its calls, as `tarn.h` declares them."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import CFUNCTYPE, POINTER, c_char, c_char_p, c_double, c_int, c_long, c_size_t, c_void_p
from pathlib import Path
from typing import Iterator

SONAME = "libtarn.so.0"
TERMINATE = CFUNCTYPE(c_int, c_void_p)


class Option(ctypes.Structure):
    """TarnOption of tarn.h."""

    _fields_ = [
        ("name", c_char_p),
        ("letter", c_char),
        ("argument", c_char_p),
        ("initial", c_char_p),
        ("help", c_char_p),
        ("is_engine", c_int),
    ]


class MutantText(ctypes.Structure):
    """TarnMutant of tarn.h."""

    _fields_ = [
        ("kind", c_char_p),
        ("line", c_size_t),
        ("column", c_size_t),
        ("before", c_char_p),
        ("after", c_char_p),
        ("text", c_char_p),
    ]


def _candidates() -> Iterator[str]:
    named = os.environ.get("TARN_LIBRARY")
    if named:
        yield named
        return
    here = Path(__file__).resolve().parent
    yield str(here / SONAME)  # beside the package
    yield str(here.parents[1] / "build" / "release" / "libtarn.so")  # in the source tree
    yield SONAME  # installed
    found = ctypes.util.find_library("tarn")
    if found:
        yield found


_SIGNATURES: dict[str, tuple[object, list[object]]] = {
    "tarn_version": (c_char_p, []),
    "tarn_init": (c_void_p, []),
    "tarn_release": (None, [c_void_p]),
    "tarn_set": (c_int, [c_void_p, c_char_p, c_char_p]),
    "tarn_read": (c_int, [c_void_p, c_char_p]),
    "tarn_read_text": (c_int, [c_void_p, c_char_p, c_char_p]),
    "tarn_query_count": (c_size_t, [c_void_p]),
    "tarn_query": (c_char_p, [c_void_p, c_size_t]),
    "tarn_query_at": (c_void_p, [c_void_p, c_size_t]),
    "tarn_query_new": (c_void_p, [c_void_p, c_char_p]),
    "tarn_query_labels": (c_void_p, [c_void_p, c_char_p]),
    "tarn_query_release": (None, [c_void_p, c_void_p]),
    "tarn_check_query": (c_int, [c_void_p, c_void_p]),
    "tarn_parse_query": (c_int, [c_void_p, c_void_p]),
    "tarn_verdict": (c_int, [c_void_p]),
    "tarn_error": (c_char_p, [c_void_p]),
    "tarn_warnings": (c_char_p, [c_void_p]),
    "tarn_write_buffer": (c_long, [c_void_p, c_char_p, c_size_t, c_char_p, c_char_p]),
    "tarn_certify": (c_int, [c_void_p, c_char_p]),
    "tarn_certify_text": (c_int, [c_void_p, c_char_p]),
    "tarn_cover": (c_int, [c_void_p, c_char_p]),
    "tarn_mutate": (c_long, [c_void_p, c_char_p]),
    "tarn_mutant": (c_int, [c_void_p, c_size_t, POINTER(MutantText)]),
    "tarn_is_alike": (c_int, [c_void_p, c_void_p, POINTER(c_size_t), POINTER(c_int)]),
    "tarn_language": (c_char_p, [c_void_p]),
    "tarn_finding": (c_char_p, [c_void_p]),
    "tarn_simulate": (c_int, [c_void_p, c_char_p]),
    "tarn_simulate_symbolically": (c_int, [c_void_p]),
    "tarn_step": (c_int, [c_void_p, c_size_t, c_char_p]),
    "tarn_wait": (c_int, [c_void_p, c_char_p]),
    "tarn_step_back": (c_int, [c_void_p]),
    "tarn_step_to": (c_int, [c_void_p, c_size_t]),
    "tarn_stuck": (c_char_p, [c_void_p]),
    "tarn_step_randomly": (c_int, [c_void_p, c_int, c_int]),
    "tarn_set_terminate": (None, [c_void_p, c_void_p, TERMINATE]),
    "tarn_generate_buffer": (
        c_long,
        [c_void_p, c_char_p, c_size_t, c_char_p, c_int, POINTER(c_char_p)],
    ),
    "tarn_option": (c_int, [c_size_t, POINTER(Option)]),
}


def _open() -> tuple[ctypes.CDLL, str]:
    tried = []
    for name in _candidates():
        if os.sep in name and not os.path.exists(name):
            tried.append(name)
            continue
        try:
            return ctypes.CDLL(name), name
        except OSError:
            tried.append(name)
    raise ImportError(
        "the shared library of tarn was not found; install it (`make install`), or set "
        "TARN_LIBRARY to the path of libtarn.so. Tried: " + ", ".join(tried)
    )


lib, _path = _open()
for _name, (_result, _arguments) in _SIGNATURES.items():
    _function = getattr(lib, _name)
    _function.restype = _result
    _function.argtypes = _arguments


def library_path() -> str:
    """The path or name under which the shared library was found."""
    return _path


def version() -> str:
    """The version of the shared library."""
    return bytes(lib.tarn_version()).decode()
