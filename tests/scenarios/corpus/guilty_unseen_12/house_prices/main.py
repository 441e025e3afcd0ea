# gradwatch-corpus: kind=graph-held
# holder: self.val | recorder.smooth_loss.val | learn.recorder.smooth_loss.val | self.smooth_loss.val | smooth_loss.val | learn.recorder.smooth_loss | self.smooth_loss
# first-bad: 1
"""House prices with a mini-fastai: I rebuilt the parts of Learner I use so that the kernel needs nothing but torch."""
import torch
import torch.nn as nn

from learner import Learner
from callbacks import Recorder, ParamScheduler, GradientClip, sched_cos

torch.manual_seed(42)
torch.set_num_threads(1)

CARDS = [6, 25, 12]
N_CONT = 9
BS = 64


def make_frame(n):
    cats = torch.stack([torch.randint(0, c, (n,)) for c in CARDS], 1)
    conts = torch.randn(n, N_CONT)
    w = torch.linspace(-1, 1, N_CONT)
    y = conts @ w + 0.3 * (cats[:, 1] % 5) - 0.2 * cats[:, 0] + conts[:, 0] * conts[:, 1] + 0.1 * torch.randn(n)
    return cats, conts, y[:, None]


class DataLoader:
    def __init__(self, frame, bs, shuffle):
        self.frame, self.bs, self.shuffle = frame, bs, shuffle

    def __len__(self):
        return len(self.frame[0]) // self.bs

    def __iter__(self):
        n = len(self.frame[0])
        idx = torch.randperm(n) if self.shuffle else torch.arange(n)
        for i in range(len(self)):
            j = idx[i * self.bs:(i + 1) * self.bs]
            yield tuple(t[j] for t in self.frame)


class TabularModel(nn.Module):
    def __init__(self, cards, n_cont, layers=(100, 50), ps=0.05):
        super().__init__()
        self.embeds = nn.ModuleList(nn.Embedding(c, min(10, (c + 1) // 2)) for c in cards)
        n_in = sum(e.embedding_dim for e in self.embeds) + n_cont
        self.bn_cont = nn.BatchNorm1d(n_cont)
        sizes = [n_in, *layers]
        blocks = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            blocks += [nn.Linear(a, b), nn.ReLU(), nn.BatchNorm1d(b), nn.Dropout(ps)]
        self.layers = nn.Sequential(*blocks, nn.Linear(sizes[-1], 1))

    def forward(self, x_cat, x_cont):
        x = [e(x_cat[:, i]) for i, e in enumerate(self.embeds)]
        return self.layers(torch.cat(x + [self.bn_cont(x_cont)], 1))


def rmse(pred, targ):
    return ((pred - targ) ** 2).mean().sqrt()


dls = DataLoader(make_frame(BS * 90), BS, True), DataLoader(make_frame(BS * 6), BS, False)
learn = Learner(dls, TabularModel(CARDS, N_CONT), nn.MSELoss(), metrics=[rmse],
                cbs=[Recorder(), ParamScheduler("lr", sched_cos(3e-3, 1e-5)), GradientClip(1.0)])
learn.fit(4, 3e-3)
print("last smoothed losses:", [round(v, 4) for v in learn.recorder.losses[-3:]])
