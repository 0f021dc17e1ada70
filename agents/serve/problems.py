"""What goes wrong, as JSON: what came, what was expected and what to do.  Knows no game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from terracotta_env.errors import TerracottaError

_SHOWN: Final = 80  # characters of what came


class ProblemBody(BaseModel):
    """The inside of :class:`Problem`."""

    model_config = ConfigDict(extra="forbid")

    code: str = Field(description="A short word for programs, which stays the same.")
    message: str = Field(description="What came and what was expected.")
    do: str = Field(description="What to do about it.")
    field: str | None = Field(default=None, description="Where in the request it stands.")


class Problem(BaseModel):
    """What every answer holds that is no success."""

    model_config = ConfigDict(extra="forbid")

    error: ProblemBody


class ProblemError(TerracottaError):
    """Raised anywhere in a request; becomes the answer.

    Attributes:
        status: of HTTP.
        body: see :class:`ProblemBody`.
    """

    def __init__(self, status: int, code: str, message: str, do: str, field: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"code": code, "message": message, "do": do, "field": field}


def shown(value: object) -> str:
    """What came, short enough for a message."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def not_found(identity: str) -> ProblemError:
    """One answer for games that never were, are gone, or belong to somebody else: it must not tell which."""
    return ProblemError(
        404,
        "no_such_game",
        f"no game {shown(identity)} of yours is kept here: it was never begun, somebody else began it, or it was "
        "forgotten after being left alone",
        "list your games with GET /api/games, or begin one with POST /api/games",
        "game",
    )


def conflict(code: str, message: str, do: str, field: str | None = None) -> ProblemError:
    """The request is well formed, but not at this moment."""
    return ProblemError(409, code, message, do, field)


class Json(JSONResponse):
    """JSON in plain ASCII: a lone half of a surrogate pair, which JSON can bring in, cannot be written as UTF-8.

    A model is written as it is: it was checked when it was made, and the framework would do all that again.
    """

    def render(self, content: Any) -> bytes:
        if isinstance(content, BaseModel):
            content = content.model_dump()
        return json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def answer(status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> JSONResponse:
    return Json({"error": dict(body)}, status, dict(headers) if headers else None)


# what to do about errors that come from the framework, by status
_ADVICE: Final = {
    413: "send one record at a time, without its trace: the decisions say it all",
    404: "look at /openapi.json for the addresses that there are",
    405: "use one of the methods named in the header Allow",
}


def install(app: FastAPI) -> None:
    """Make every error of an application an answer in the one form."""

    @app.exception_handler(ProblemError)
    async def problem(request: Request, error: ProblemError) -> JSONResponse:
        return answer(error.status, error.body, {"Retry-After": "2"} if error.status == 503 else None)

    @app.exception_handler(TerracottaError)
    async def unusable(request: Request, error: TerracottaError) -> JSONResponse:
        # raised by what reads records, saved games and setups: it names the field itself
        body = {
            "code": "unusable",
            "message": str(error).splitlines()[0],
            "do": "correct what is named and send it again",
        }
        return answer(422, {**body, "field": None})

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = [str(step) for step in first["loc"]]
        body = {
            "code": "invalid",
            "message": f"{'.'.join(where)}: {first['msg']}; got {shown(first.get('input'))}",
            "do": "correct the field; /openapi.json says what each may hold",
            "field": ".".join(where),
        }
        return answer(422, body)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        phrase = HTTPStatus(error.status_code).phrase
        body = {
            "code": phrase.lower().replace(" ", "_"),
            "message": f"{request.method} {shown(request.url.path)}: {error.detail or phrase}",
            "do": _ADVICE.get(error.status_code, "look at /openapi.json for what can be asked"),
            "field": None,
        }
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(_methods(app, request))
        return answer(error.status_code, body, headers)


def _methods(app: FastAPI, request: Request) -> list[str]:
    """What can be done at an address: the framework names only the methods of the first route that has it."""
    found: set[str] = set()
    for route in app.routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] != Match.NONE:
            found |= route.methods or set()
    return sorted(found)
