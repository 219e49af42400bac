"""The reader: looks things up while others write.  Each job sees the book as it was at one instant."""

from __future__ import annotations

import psycopg

from referee.store.errands import Answer, Clerk, Errand, attempt
from referee.store.postgres.connection import Place
from referee.store.postgres.errors import Anew, Lost, away, understood
from referee.store.postgres.line import Line


class PostgresReader(Clerk):
    """Answers one reading job after the other."""

    def __init__(self, place: Place) -> None:
        self._line = Line(place, writes=False)
        super().__init__("store-reader", 1)

    def _serve(self, errands: list[Errand]) -> list[Answer]:
        errand = errands[0]
        try:
            try:
                return [self._run(errand)]
            except (Anew, Lost):  # the server may only have been restarted
                return [self._run(errand)]
        except Lost as gone:
            return [Answer(errand, None, gone.told)]
        except psycopg.Error as error:
            return [Answer(errand, None, understood(error, self._line.place.name))]
        except BaseException as error:  # whatever it is, who waits must hear of it and this thread must go on
            return [Answer(errand, None, error)]

    def _run(self, errand: Errand) -> Answer:
        """Once.  Raises Anew, Lost, StoreFull, psycopg.Error."""
        tx = self._line.tx()
        try:
            tx.begin()
            answer = attempt(errand.job, tx, errand)
            tx.end()
            if isinstance(answer.error, Lost):
                self._line.drop()
                raise answer.error
            tx.undo()
        except psycopg.Error as error:
            self._line.drop()
            if away(error):
                raise Lost(understood(error, self._line.place.name)) from error
            raise
        if isinstance(answer.error, Anew):
            raise answer.error
        return answer

    def _leave(self) -> None:
        self._line.drop()
