class Catalogue:
    """Vectors of all tracks; encoding the whole catalogue is costly, so not at every step."""

    def __init__(self, tower, features, refresh_every):
        self.tower = tower
        self.features = features
        self.refresh_every = refresh_every
        self.vectors = None

    def lookup(self, step):
        if self.vectors is None or step % self.refresh_every == 0:
            self.vectors = self.tower(self.features)  # <- culprit
        return self.vectors  # <- culprit
