# gradwatch-corpus: kind=graph-chain
# holder: self.state | self.memory.state | self.model.memory.state | trainer.model.memory.state
# first-bad: 20
# notice: 5
# also: retain-needless
import torch
from torch import nn

from events import interaction_stream
from memory import NodeMemory

torch.set_num_threads(1)
torch.manual_seed(5)

N_NODES, D_MSG, D_MEM = 40, 6, 16


class LinkScorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.memory = NodeMemory(N_NODES, D_MSG, D_MEM)
        self.head = nn.Sequential(nn.Linear(2 * D_MEM, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, src, dst, neg):
        m = self.memory.state
        pos = self.head(torch.cat([m[src], m[dst]], dim=1))
        bad = self.head(torch.cat([m[src], m[neg]], dim=1))
        return pos.squeeze(1), bad.squeeze(1)


class StreamTrainer:
    def __init__(self, model, schedule):
        self.model = model
        self.schedule = schedule
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.bce = nn.BCEWithLogitsLoss()
        self.log = []

    def phase(self, t):
        return next(name for name, end in self.schedule if t < end)

    def run(self, stream):
        for t, (src, dst, neg, msg) in enumerate(stream):
            phase = self.phase(t)
            if phase == "cold":
                self.model.memory.reset()
            self.model.memory.update(src, msg)
            self.model.memory.update(dst, msg)
            pos, bad = self.model(src, dst, neg)
            loss = self.bce(pos, torch.ones_like(pos)) + self.bce(bad, torch.zeros_like(bad))
            self.opt.zero_grad()
            loss.backward(retain_graph=self.phase(t + 1) != "cold")  # <- culprit
            self.opt.step()
            self.log.append((phase, loss.item()))
            if t % 15 == 0:
                print(f"t={t:3d} {phase:6s} loss {loss.item():.4f}")


if __name__ == "__main__":
    schedule = [("cold", 20), ("online", 10 ** 9)]
    trainer = StreamTrainer(LinkScorer(), schedule)
    trainer.run(interaction_stream(N_NODES, D_MSG, steps=75, batch=12))
    tail = [v for p, v in trainer.log if p == "online"][-10:]
    print("final", round(sum(tail) / len(tail), 4))
