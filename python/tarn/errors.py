"""Errors of the user, with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLACE = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<text>.*)$")


@dataclass(frozen=True)
class Diagnostic:
    """One message: what is wrong and, if it is in a text, where. Lines and columns count from 1."""

    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    excerpt: str = ""  # the line, and a caret under the place

    def __str__(self) -> str:
        if self.file is None:
            return self.message
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


def parse(text: str) -> list[Diagnostic]:
    """The messages in what the library reports."""
    found: list[Diagnostic] = []
    excerpt: list[str] = []

    def close() -> None:
        if found and excerpt:
            last = found.pop()
            found.append(
                Diagnostic(last.message, last.file, last.line, last.column, "\n".join(excerpt))
            )
        excerpt.clear()

    for line in text.splitlines():
        place = _PLACE.match(line)
        if place:
            close()
            found.append(
                Diagnostic(place["text"], place["file"], int(place["line"]), int(place["column"]))
            )
        elif found and found[-1].file is not None:
            excerpt.append(line)
        elif line:
            found.append(Diagnostic(line))
    close()
    return found


class Error(Exception):
    """Something is wrong with a model, a query, an option or a file.

    `diagnostics` lists all messages; `file`, `line` and `column` are those of the first.
    """

    def __init__(self, text: str) -> None:
        self.text = text.rstrip("\n")
        self.diagnostics = parse(text)
        super().__init__(self.text or "unknown error")

    @property
    def file(self) -> str | None:
        return self.diagnostics[0].file if self.diagnostics else None

    @property
    def line(self) -> int | None:
        return self.diagnostics[0].line if self.diagnostics else None

    @property
    def column(self) -> int | None:
        return self.diagnostics[0].column if self.diagnostics else None
