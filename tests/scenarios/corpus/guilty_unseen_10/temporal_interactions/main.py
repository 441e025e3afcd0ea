# gradwatch-corpus: kind=graph-chain
# holder: self.state | memory.state | model.memory.state | self.memory.state | self.model.memory.state
# first-bad: 1
"""Dynamic link prediction on a synthetic stream of user-item interactions: a light reimplementation of JODIE/TGN where the
memory is a fading sum of messages. Reproducibility track, team 14."""
import torch
import torch.nn.functional as F

from model import LinkPredictor
from stream import InteractionStream

CFG = {"users": 120, "items": 60, "dim": 16, "edge_dim": 6, "batch": 40, "events": 11_000, "lr": 3e-3, "seed": 17}


def bce(pos, neg):
    return F.binary_cross_entropy_with_logits(pos, torch.ones_like(pos)) + \
        F.binary_cross_entropy_with_logits(neg, torch.zeros_like(neg))


def auc(pos, neg):
    return (pos[:, None] > neg[None, :]).float().mean().item()


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        self.stream = InteractionStream(cfg["users"], cfg["items"], cfg["edge_dim"], cfg["events"])
        self.model = LinkPredictor(cfg["users"], cfg["items"], cfg["dim"], cfg["edge_dim"])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])

    def step(self, batch):
        user, item, feat = batch
        neg = torch.randint(0, self.cfg["items"], item.shape)
        pos_score, neg_score = self.model.score(user, item), self.model.score(user, neg)
        loss = bce(pos_score, neg_score)
        self.opt.zero_grad()
        # the memory outlives the batch
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        self.model.observe(user, item, feat)
        return loss.item(), auc(pos_score.detach(), neg_score.detach())

    def run(self):
        window = []
        for k, batch in enumerate(self.stream.batches(self.cfg["batch"])):
            window.append(self.step(batch))
            if len(window) == 55:
                l, a = (sum(col) / len(window) for col in zip(*window))
                print(f"batch {k + 1:4d}  loss {l:.4f}  auc {a:.3f}")
                window.clear()


if __name__ == "__main__":
    torch.set_num_threads(1)
    Experiment(CFG).run()
