class HardTickets:
    """Remembers the score vector of every query whose top-1 answer was wrong."""

    def __init__(self, margin=0.0):
        self.margin = margin
        self.by_query = {}

    def offer(self, query_ids, scores, relevance):
        top = scores.argmax(dim=1)
        hit = relevance.gather(1, top[:, None]).squeeze(1) > self.margin
        for q, s, ok in zip(query_ids.tolist(), scores, hit.tolist()):
            if not ok:
                self.by_query[q] = s  # <- culprit

    def hardest(self, k):
        spread = {q: (s.max() - s.mean()).item() for q, s in self.by_query.items()}
        return sorted(spread, key=spread.get, reverse=True)[:k]
