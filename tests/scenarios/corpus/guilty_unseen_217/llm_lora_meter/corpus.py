import torch


class InstructionPacker:
    def __init__(self, vocab, ctx, batch):
        self.vocab, self.ctx, self.batch = vocab, ctx, batch
        self.table = torch.randperm(vocab)

    def __iter__(self):
        while True:
            ids = torch.randint(0, self.vocab, (self.batch, 1))
            cols = [ids]
            for _ in range(self.ctx):
                cols.append(self.table[cols[-1]])
            seq = torch.cat(cols, 1)
            labels = seq[:, 1:].clone()
            labels[:, : self.ctx // 4] = -100
            yield {"input_ids": seq[:, :-1], "labels": labels}
