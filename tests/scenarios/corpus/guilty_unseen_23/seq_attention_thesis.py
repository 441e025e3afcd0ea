# gradwatch-corpus: kind=inplace-modified
# first-bad: 100
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Config:
    batch = 32
    steps = 20
    features = 4
    hidden = 48
    lr = 1e-3
    pretrain_iters = 100
    attention_iters = 80
    report = 25


class PowerLoad:
    """hourly load of a made-up grid with daily and weekly cycles"""

    def __init__(self, cfg, n=6000, seed=0):
        rng = np.random.default_rng(seed)
        t = np.arange(n)
        load = 2 + np.sin(2 * np.pi * t / 24) + 0.5 * np.sin(2 * np.pi * t / 168)
        load = load + 0.1 * rng.standard_normal(n).cumsum() / np.sqrt(1 + t)
        hour = 2 * np.pi * (t % 24) / 24
        x = np.stack([load, np.sin(hour), np.cos(hour), (t // 24 % 7) / 6], axis=1)
        self.x = torch.from_numpy(x).float()
        self.cfg, self.rng = cfg, rng

    def batch(self):
        T = self.cfg.steps
        s = self.rng.integers(0, len(self.x) - T - 1, self.cfg.batch)
        x = torch.stack([self.x[i:i + T] for i in s])
        y = torch.stack([self.x[i + 1:i + T + 1, 0] for i in s])
        return x, y


class AttentiveRNN(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.cell = nn.LSTMCell(cfg.features, cfg.hidden)
        self.query = nn.Linear(cfg.hidden, cfg.hidden)
        self.mix = nn.Linear(2 * cfg.hidden, cfg.hidden)
        self.readout = nn.Linear(cfg.hidden, 1)
        self.use_attention = False

    def attend(self, h, past):
        q = self.query(h).unsqueeze(1)
        w = F.softmax((q * past).sum(-1) / self.cfg.hidden ** 0.5, dim=1)
        return (w.unsqueeze(-1) * past).sum(1)

    def forward(self, x):
        B, T, _ = x.shape
        h = torch.zeros(B, self.cfg.hidden)
        c = torch.zeros(B, self.cfg.hidden)
        states = torch.zeros(B, T, self.cfg.hidden)
        preds = torch.zeros(B, T)
        for t in range(T):
            h, c = self.cell(x[:, t], (h, c))
            out = h
            if self.use_attention and t > 0:
                context = self.attend(h, states[:, :t])
                out = torch.tanh(self.mix(torch.cat([h, context], dim=1)))
            states[:, t] = h  # <- culprit
            preds[:, t] = self.readout(out).squeeze(1)
        return preds


class Experiment:
    def __init__(self):
        self.cfg = Config()
        self.data = PowerLoad(self.cfg)
        self.model = AttentiveRNN(self.cfg)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=self.cfg.lr)
        self.curve = []

    def step(self):
        x, y = self.data.batch()
        self.optim.zero_grad()
        loss = F.mse_loss(self.model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optim.step()
        return loss.item()

    def phase(self, name, iters):
        for i in range(1, iters + 1):
            self.curve.append(self.step())
            if i % self.cfg.report == 0:
                print("[%s] %4d  mse %.4f" % (name, i, np.mean(self.curve[-self.cfg.report:])))

    def evaluate(self):
        self.model.eval()
        with torch.no_grad():
            x, y = self.data.batch()
            err = (self.model(x) - y).abs().mean().item()
        self.model.train()
        return err

    def run(self):
        self.phase("plain lstm", self.cfg.pretrain_iters)
        print("mae %.4f" % self.evaluate())
        self.model.use_attention = True
        self.phase("with attention", self.cfg.attention_iters)
        print("mae %.4f" % self.evaluate())


if __name__ == "__main__":
    torch.manual_seed(0)
    Experiment().run()
