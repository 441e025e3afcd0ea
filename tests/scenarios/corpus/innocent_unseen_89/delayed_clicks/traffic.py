import torch


class Traffic:
    """Feedback takes up to 8 ticks, from the sale season on (tick 150) up to 24."""

    def __init__(self, fields, buckets, batch):
        self.truth = torch.randn(fields, buckets) * 0.7
        self.fields, self.buckets, self.batch = fields, buckets, batch

    def longest_wait(self, tick):
        return 8 if tick < 150 else 24

    def serve(self, tick):
        ids = torch.randint(0, self.buckets, (self.batch, self.fields))
        score = self.truth[torch.arange(self.fields), ids].sum(1) - 0.5
        converted = (torch.rand(self.batch) < torch.sigmoid(score)).float()
        wait = int(torch.randint(1, self.longest_wait(tick) + 1, ()))
        return ids, converted, wait
