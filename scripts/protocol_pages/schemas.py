"""JSON Schemas of the server's types, as both documents keep them in `components`."""

from __future__ import annotations

import inspect as source
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import inspect

from scripts.wire_types import structs

if TYPE_CHECKING:
    from collections.abc import Sequence

REF: Final = "#/components/schemas/{name}"
Schema = dict[str, Any]


def components(received: Sequence[Any], sent: Sequence[Any]) -> tuple[dict[int, Schema], dict[str, Schema]]:
    """Return each type's own schema by the type's `id`, and all that they refer to by name.

    `received` by a client, `sent` by one: what is received has every field, a default or not.
    """
    both = [*received, *sent]
    refs, named = msgspec.json.schema_components(both, ref_template=REF)
    all_structs: dict[type, inspect.StructType] = {}
    request_structs: dict[type, inspect.StructType] = {}
    for kind in both:
        structs(inspect.type_info(kind), all_structs)
    for kind in sent:
        structs(inspect.type_info(kind), request_structs)
    for info in all_structs.values():
        schema = named.get(info.cls.__name__) or named[f"{info.cls.__module__}.{info.cls.__name__}"]
        schema["description"] = source.cleandoc(schema.get("description", ""))
        for field in info.fields:
            form = _shown_as(field.type)
            if form in named:
                schema["properties"][field.encode_name] = {"$ref": REF.format(name=form)}
        if info.cls not in request_structs and not info.cls.__struct_config__.omit_defaults:
            schema["required"] = _always(info)
    return {id(kind): ref for kind, ref in zip(both, refs, strict=True)}, dict(sorted(named.items()))


def _shown_as(info: inspect.Type) -> str:
    """Return what stands in a field that is written as it is; see `typescript` in scripts/wire_types.py."""
    extra = (info.extra or {}) if isinstance(info, inspect.Metadata) else {}
    return str(extra.get("typescript", ""))


def _always(info: inspect.StructType) -> list[str]:
    tag = [info.tag_field] if info.tag_field is not None else []
    # A field without any default that need not be there is UNSET where it is missing.
    unset = [
        field
        for field in info.fields
        if not field.required and field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
    ]
    return tag + [field.encode_name for field in info.fields if field not in unset]
