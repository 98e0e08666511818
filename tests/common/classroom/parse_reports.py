"""Reads what a program writes of classes made to break files, with parsers that are not ours.

  parse_reports.py PROGRAM
"""

import csv
import html.parser
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

STUDENTS, EXERCISES = 4, 6
VOID = {"meta", "br", "hr", "img", "input", "link", "col"}


class Page(html.parser.HTMLParser):
    """Notes every element; one that is not closed, or not ours, is a fault."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.scripts = 0

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        for name, _ in attributes:
            assert not name.startswith("on"), f"{tag} has {name}"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open}"
        self.open.pop()

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")


def text_of(file):
    text = file.read_bytes().decode("utf-8-sig")  # strict: anything else is refused
    odd = {c for c in text if ord(c) < 32 and c not in "\n\r\t"}
    assert not odd, odd
    return text


def check_xml(file):
    suites = xml.etree.ElementTree.fromstring(text_of(file))
    assert len(suites.findall(".//testcase")) == EXERCISES


def check_json(file):
    results = json.loads(text_of(file))
    assert len(results["tests"]) == EXERCISES


def check_html(file):
    page = Page()
    page.feed(text_of(file))
    page.close()
    assert page.open == [], page.open
    assert page.scripts == 0


def check_csv(file):
    rows = list(csv.reader(io.StringIO(text_of(file), newline=""), strict=True))
    assert len(rows) >= STUDENTS + 1, len(rows)
    assert len({len(row) for row in rows}) == 1, [len(row) for row in rows]
    for row in rows:
        for cell in row:
            for part in re.split("[,;|\\t\\n]", cell):
                assert not part.startswith(("=", "+", "-", "@")), cell


CHECKS = {".xml": check_xml, ".json": check_json, ".html": check_html, ".csv": check_csv}


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, folder], check=True)
        files = [file for file in pathlib.Path(folder).rglob("*") if file.is_file()]
        assert len(files) == 10 * (3 * STUDENTS + 4), len(files)
        failed = False
        for file in sorted(files):
            try:
                CHECKS[file.suffix](file)
            except Exception as error:  # whatever a parser throws
                print(f"{file.relative_to(folder)}: {error!r}")
                failed = True
        sys.exit(failed)


main(sys.argv[1])
