import torch


class Utterances:
    def __init__(self, n, feat):
        self.n, self.feat = n, feat

    def batches(self, bs):
        order = torch.randperm(self.n).tolist()
        for i in range(0, self.n, bs):
            ids = order[i:i + bs]
            x = torch.randn(len(ids), 30, self.feat)
            tgt = torch.randint(1, 10, (len(ids), 6))
            yield {"id": ["utt-%05d" % j for j in ids], "x": x, "y": tgt}
