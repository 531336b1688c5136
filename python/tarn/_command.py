"""The command `tarn` of the wheel."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the command, with the same arguments."""
    path = Path(__file__).resolve().parent / "bin" / "tarn"
    if not path.exists():
        sys.exit("tarn: the command is not part of this installation of the package; only the wheel has it")
    os.execv(path, ["tarn", *sys.argv[1:]])


if __name__ == "__main__":
    main()
