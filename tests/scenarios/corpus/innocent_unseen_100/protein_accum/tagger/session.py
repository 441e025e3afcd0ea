import torch
import torch.nn.functional as F


class Session:
    def __init__(self, recipe, model, acc):
        self.recipe, self.model, self.acc = recipe, model, acc
        self.opt = torch.optim.AdamW(model.parameters(), lr=recipe.lr)
        self.updates = 0
        self.total = 0.0
        self.hits = []

    def micro_step(self, seq, tags):
        logits = self.model(seq)
        keep = tags != -100
        loss = F.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=-100, reduction="sum")
        self.hits.append((logits.argmax(-1) == tags)[keep].float().mean())
        return self.acc.add(loss, int(keep.sum()))

    def update(self):
        loss = self.acc.release()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        self.total += loss.item()
        if self.updates % 100 == 0:
            print(f"update {self.updates} mean loss {self.total / self.updates:.4f}")

    def run(self, stream):
        for seq, tags in stream:
            if self.micro_step(seq, tags):
                self.update()
            if self.updates == self.recipe.updates:
                return

    def accuracy(self, last):
        return torch.stack(self.hits[-last:]).mean().item()
