import torch


class InstructionSet:
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.prompt = torch.randint(3, 23, (n, 6), generator=g)
        self.answer = self.prompt.flip(1)
        self.g = g

    def batches(self, size):
        order = torch.randperm(len(self.prompt), generator=self.g)
        for chunk in order.split(size):
            ids = torch.cat([self.prompt[chunk], torch.ones(len(chunk), 1, dtype=torch.long), self.answer[chunk]], 1)
            mask = torch.zeros(ids.shape)
            mask[:, 7:] = 1.0
            yield ids, mask
