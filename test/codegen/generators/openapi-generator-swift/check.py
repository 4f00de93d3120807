"""Parses the Swift client with tree-sitter's grammar, and compiles it where there is a compiler, as on Debian 13."""

import shutil
import subprocess
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


def module(name: str, version: str, sources: list[str], *more: str) -> None:
    """Compiles one module, in a mode of the language."""
    options = ["-swift-version", version, "-parse-as-library", "-I", "modules", "-module-name", name, *more]
    done = subprocess.run(["swiftc", *options, *sources], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)


if shutil.which("swiftc"):
    Path("modules").mkdir(exist_ok=True)
    emitted = ["-emit-module", "-emit-module-path"]
    module("MobileCoreServices", "5", ["MobileCoreServices.swift"], *emitted, "modules/MobileCoreServices.swiftmodule")
    library = [*emitted, "modules/OpenAPIClient.swiftmodule", "-emit-library", "-o", "modules/libOpenAPIClient.so"]
    module("OpenAPIClient", "6", [str(file) for file in files], *library)
    print("Compiled by swiftc.")
