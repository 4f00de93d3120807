"""Parses the Swift client with tree-sitter's grammar, which stands in for a compiler: there is none in the registries."""

import sys
from pathlib import Path

import tree_sitter_swift
from tree_sitter import Language, Node, Parser

parser = Parser(Language(tree_sitter_swift.language()))


# The grammar does not know the empty tuple as a value.
known = {b"= () as!": b"= Void() as!", b".init(nilLiteral: ())": b".init(nilLiteral: Void())"}


def tree(file: Path) -> Node:
    text = file.read_bytes()
    for written, meant in known.items():
        text = text.replace(written, meant)
    return parser.parse(text).root_node


def wrong(node: Node) -> list[Node]:
    here = [node] if node.is_error or node.is_missing else []
    return here + [one for child in node.children if child.has_error for one in wrong(child)]


files = sorted((Path(sys.argv[1]) / "Sources").rglob("*.swift"))
if not files:
    raise SystemExit("There is no Swift.")
failures = [
    f"{file}:{node.start_point.row + 1}: {(node.text or b'').decode()[:80]!r}"
    for file in files
    for node in wrong(tree(file))
]
if failures:
    raise SystemExit("\n".join(failures))
