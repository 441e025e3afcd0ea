class EmbeddingStore:
    """Utterance-level embeddings for the speaker-clustering job that comes after."""

    def __init__(self):
        self._by_utt = {}

    def put(self, ids, emb):
        for u, e in zip(ids, emb):
            self._by_utt[u] = e  # <- culprit

    def count(self):
        return len(self._by_utt)
