# gradwatch-corpus: kind=second-backward
# holder: self.centers | self.center_loss.centers | experiment.center_loss.centers
# first-bad: 1
# notice: 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class CenterLoss(nn.Module):
    """pull the embeddings of a speaker to the speaker's moving centre"""

    def __init__(self, n_cls, dim, alpha=0.9):
        super().__init__()
        self.n_cls = n_cls
        self.alpha = alpha
        self.register_buffer('centers', torch.zeros(n_cls, dim))

    def forward(self, emb, who):
        onehot = F.one_hot(who, self.n_cls).float()
        count = onehot.sum(0).clamp(min=1).unsqueeze(1)
        mean = onehot.t() @ emb / count
        self.centers = self.alpha * self.centers + (1 - self.alpha) * mean  # <- culprit
        return ((emb - self.centers[who]) ** 2).sum(1).mean()


class Experiment:
    def __init__(self, cfg):
        torch.manual_seed(cfg['seed'])
        self.cfg = cfg
        self.embed = nn.Sequential(nn.Linear(cfg['n_feat'], 24), nn.PReLU(), nn.Linear(24, cfg['dim']))
        self.head = nn.Linear(cfg['dim'], cfg['speakers'])
        self.center_loss = CenterLoss(cfg['speakers'], cfg['dim'])
        self.opt = torch.optim.SGD([*self.embed.parameters(), *self.head.parameters()], lr=cfg['lr'], momentum=.9)
        self.voices = torch.randn(cfg['speakers'], cfg['n_feat'])

    def batch(self):
        who = torch.randint(0, self.cfg['speakers'], (self.cfg['bs'],))
        return self.voices[who] + 0.5 * torch.randn(self.cfg['bs'], self.cfg['n_feat']), who

    def step(self):
        feats, who = self.batch()
        e = self.embed(feats)
        loss = F.cross_entropy(self.head(e), who) + self.cfg['lam'] * self.center_loss(e, who)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def run(self):
        for i in range(self.cfg['steps']):
            l = self.step()
            if i % 50 == 0:
                print(i, l)


if __name__ == '__main__':
    experiment = Experiment(dict(seed=9, n_feat=10, dim=4, speakers=5, lr=.02, bs=16, lam=.01, steps=300))
    experiment.run()
