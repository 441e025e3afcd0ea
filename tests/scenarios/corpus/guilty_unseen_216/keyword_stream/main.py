# gradwatch-corpus: kind=graph-chain
# holder: self.hidden | model.hidden | model.encoder.hidden | net.encoder.hidden | trainer.model.encoder.hidden
# first-bad: 1
import torch
import torch.nn.functional as F

from config import Config
from models import KeywordSpotter
from optimizer import RMSpropTF
from data import StreamingClips


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = KeywordSpotter(cfg.n_mels, cfg.hidden, cfg.n_keywords)
        self.optim = RMSpropTF(self.model.parameters(), lr=cfg.lr)
        self.data = StreamingClips(cfg)
        self.history = []

    def step(self, batch):
        mel, target = batch
        logits = self.model(mel)
        loss = F.cross_entropy(logits, target)
        self.optim.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
        self.optim.step()
        acc = (logits.argmax(-1) == target).float().mean().item()
        return loss.item(), acc

    def fit(self):
        for i, batch in zip(range(self.cfg.steps), self.data):
            loss, acc = self.step(batch)
            self.history.append((loss, acc))
            if (i + 1) % 20 == 0:
                recent = self.history[-20:]
                print("step %d loss %.4f acc %.3f" % (
                    i + 1, sum(r[0] for r in recent) / 20, sum(r[1] for r in recent) / 20))


if __name__ == "__main__":
    torch.manual_seed(1234)
    trainer = Trainer(Config())
    trainer.fit()
