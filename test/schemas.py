#!/usr/bin/env python3
"""Checks JSON against the schemas of doc/schemas: schemas.py [FILE...]

Files are JSON documents, or golden outputs (.gold), of which every JSON document is taken. The
kind of a document is what it says at `schema`; lines of the simulator say nothing. Only the words
of JSON Schema that are used here are known; another one in a schema is an error, so nothing is
left unchecked. Names that a schema does not list are errors here, though later versions of tarn
may add some: what is printed is documented."""
import json
import os
import re
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "doc", "schemas")
SCHEMAS = {name: json.load(open(os.path.join(HERE, name))) for name in sorted(os.listdir(HERE))}
KNOWN = {"$schema", "$id", "title", "description", "$defs", "$ref", "type", "required", "properties", "items",
         "additionalProperties", "enum", "const", "minimum", "maximum", "minItems", "pattern"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_type(value, name):
    if name in ("integer", "number"):
        kinds = int if name == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def resolve(reference, root):
    name, _, path = reference.partition("#")
    root = SCHEMAS[name] if name else root
    schema = root
    for part in path.split("/")[1:]:
        schema = schema[part]
    return schema, root


def check(value, schema, root, where, wrong):
    unknown = set(schema) - KNOWN
    if unknown:
        wrong.append(f"{where}: the validator does not know {unknown}")
    if "$ref" in schema:
        target, other = resolve(schema["$ref"], root)
        check(value, target, other, where, wrong)
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(is_type(value, name) for name in types):
            wrong.append(f"{where}: {value!r:.60} is none of {types}")
            return
    if "const" in schema and value != schema["const"]:
        wrong.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{where}: {value!r} is none of {schema['enum']}")
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        wrong.append(f"{where}: {value} is below {schema['minimum']}")
    if "maximum" in schema and value is not None and value > schema["maximum"]:
        wrong.append(f"{where}: {value} is above {schema['maximum']}")
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        wrong.append(f"{where}: {value!r} does not match {schema['pattern']}")
    if isinstance(value, dict) and ("properties" in schema or "additionalProperties" in schema):
        for name in schema.get("required", []):
            if name not in value:
                wrong.append(f"{where}: `{name}` is missing")
        others = schema.get("additionalProperties", False)
        for name, item in value.items():
            inner = schema.get("properties", {}).get(name, others)
            if inner is False:
                wrong.append(f"{where}: `{name}` is not in the schema")
            elif inner is not True:
                check(item, inner, root, f"{where}.{name}", wrong)
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            wrong.append(f"{where}: too few items")
        for index, item in enumerate(value):
            if "items" in schema:
                check(item, schema["items"], root, f"{where}[{index}]", wrong)


def kind_of(document):
    if "schema" in document:
        return document["schema"]
    return "simulation-1.json" if "choices" in document else None


def documents(path):
    text = open(path, errors="replace").read()
    if not path.endswith(".gold"):
        yield 1, json.loads(text)
        return
    text = re.sub(r'("[a-z_]+":) \*', r"\1 0", text)  # what differs from run to run is masked
    decoder = json.JSONDecoder()
    end = 0
    for match in re.finditer(r"^\{(?=\n|\"| )", text, re.M):
        if match.start() < end:
            continue  # within one that was taken
        document, end = decoder.raw_decode(text, match.start())
        yield text.count("\n", 0, match.start()) + 1, document


def main():
    count, wrong = {}, []
    for path in sys.argv[1:]:
        for line, document in documents(path):
            kind = kind_of(document)
            if kind not in SCHEMAS:
                wrong.append(f"{path}:{line}: there is no schema {kind}")
                continue
            count[kind] = count.get(kind, 0) + 1
            found = []
            check(document, SCHEMAS[kind], SCHEMAS[kind], "", found)
            wrong += [f"{path}:{line}: {kind}{text}" for text in found]
    for text in wrong[:40]:
        print(text)
    print(", ".join(f"{number} of {kind}" for kind, number in sorted(count.items())))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
