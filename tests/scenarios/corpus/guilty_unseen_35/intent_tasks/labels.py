class LabelSpace:
    """Encoded label names by task; kept until the weights change."""

    def __init__(self, encode, phrases):
        self._encode = encode
        self._phrases = phrases
        self._rows = {}

    def matrix(self, task):
        rows = self._rows.get(task)
        if rows is None:
            rows = self._rows[task] = self._encode(self._phrases[task])  # <- culprit
        return rows  # <- culprit

    def invalidate(self):
        self._rows.clear()
