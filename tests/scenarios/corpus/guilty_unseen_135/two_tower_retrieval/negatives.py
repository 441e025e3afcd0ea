class CatalogueNegatives:
    """Encodes the whole catalogue once in a while."""

    def __init__(self, encoder, catalogue, refresh):
        self.encoder, self.catalogue, self.refresh = encoder, catalogue, refresh
        self.pool = None
        self.stamp = None

    def get(self, step):
        if self.pool is None or step - self.stamp >= self.refresh:
            self.pool = self.encoder(self.catalogue)  # <- culprit
            self.stamp = step
        return self.pool
