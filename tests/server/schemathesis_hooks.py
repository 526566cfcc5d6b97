"""What schemathesis has to know about us; it loads this by itself."""

from __future__ import annotations

from typing import Any

import schemathesis


@schemathesis.hook
def map_body(_: Any, body: Any) -> Any:
    """JSON Schema calls 5.0 an integer; where null is possible too it must be written as 5."""
    return _whole(body)


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
