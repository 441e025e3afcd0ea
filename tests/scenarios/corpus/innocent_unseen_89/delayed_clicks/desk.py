import heapq


class FeedbackDesk:
    """Predictions that wait for their labels, ordered by the tick at which those will be known."""

    def __init__(self):
        self._waiting = []
        self._serial = 0

    def __len__(self):
        return len(self._waiting)

    def await_labels(self, due, scores, labels):
        heapq.heappush(self._waiting, (due, self._serial, scores, labels))
        self._serial += 1

    def arrived(self, tick):
        while self._waiting and self._waiting[0][0] <= tick:
            _, _, scores, labels = heapq.heappop(self._waiting)
            yield scores, labels
