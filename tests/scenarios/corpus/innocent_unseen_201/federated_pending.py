# gradwatch-corpus: kind=none
import itertools

import torch
import torch.nn.functional as F
from torch import nn


class PendingBatches:
    """Holds losses of arriving client batches until enough samples were seen."""

    def __init__(self, target):
        self.target = target
        self.items = []
        self.samples = 0

    def push(self, client, loss, n):
        self.items.append({"client": client, "loss": loss, "n": n})
        self.samples += n
        return self.samples >= self.target

    def drain(self):
        items, self.items = self.items, []
        total, self.samples = self.samples, 0
        return items, total


class Client:
    def __init__(self, ident, w, gen):
        self.ident, self.w, self.gen = ident, w, gen
        self.shift = torch.randn(1, 12, generator=gen)

    def batch(self):
        n = int(torch.randint(4, 24, (), generator=self.gen))
        x = torch.randn(n, 12, generator=self.gen) + 0.5 * self.shift
        y = (x @ self.w > 0).float()
        return x, y


def run():
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(60)
    w = torch.randn(12, generator=gen)
    clients = [Client(i, w, gen) for i in range(7)]
    model = nn.Sequential(nn.Linear(12, 32), nn.GELU(), nn.Linear(32, 1))
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    pending = PendingBatches(target=64)
    per_client = {c.ident: [0.0, 0] for c in clients}
    rounds = 0
    for client in itertools.cycle(clients):
        x, y = client.batch()
        logits = model(x).squeeze(-1)
        loss = F.binary_cross_entropy_with_logits(logits, y, reduction="sum")
        if not pending.push(client.ident, loss, len(y)):
            continue

        items, total = pending.drain()
        opt.zero_grad()
        objective = sum(item["loss"] for item in items) / total
        objective.backward()
        opt.step()
        for item in items:
            acc = per_client[item["client"]]
            acc[0] += item["loss"].item()
            acc[1] += item["n"]
        rounds += 1
        if rounds % 75 == 0:
            report = " ".join(f"{i}:{s / n:.3f}" for i, (s, n) in per_client.items())
            print(f"round {rounds} objective {objective.item():.4f} | {report}")
            per_client = {c.ident: [0.0, 0] for c in clients}
        if rounds == 450:
            break


if __name__ == "__main__":
    run()
