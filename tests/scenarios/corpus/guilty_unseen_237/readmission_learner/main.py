# gradwatch-corpus: kind=graph-held
# holder: self.values["margin"] | learn.recorder.values["margin"] | recorder.values["margin"]
# first-bad: 1
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from framework import Accuracy, AvgLoss, Learner, Recorder

torch.manual_seed(31)

CAT_CARDS = {"ward": 12, "insurer": 8, "diagnosis": 40}
N_NUM = 9
N = 3200


def admissions():
    cats = torch.stack([torch.randint(0, c, (N,)) for c in CAT_CARDS.values()], 1)
    nums = torch.randn(N, N_NUM)
    z = nums[:, 0] - 0.7 * nums[:, 1] + (cats[:, 2] % 5 - 2) * 0.4
    y = (torch.sigmoid(z) > torch.rand(N)).float()
    return cats.float(), nums, y


class TabularNet(nn.Module):
    def __init__(self, emb_dim=6):
        super().__init__()
        self.embs = nn.ModuleList([nn.Embedding(c, emb_dim) for c in CAT_CARDS.values()])
        width = emb_dim * len(CAT_CARDS) + N_NUM
        self.layers = nn.Sequential(
            nn.Linear(width, 64),
            nn.ReLU(),
            nn.BatchNorm1d(64),
            nn.Linear(64, 32),
            nn.ReLU(),
            nn.Linear(32, 1),
        )

    def forward(self, xb):
        cats = xb[:, : len(CAT_CARDS)].long()
        nums = xb[:, len(CAT_CARDS):]
        parts = [e(cats[:, i]) for i, e in enumerate(self.embs)]
        return self.layers(torch.cat(parts + [nums], 1)).squeeze(1)


cats, nums, y = admissions()
dl = DataLoader(TensorDataset(torch.cat([cats, nums], 1), y), batch_size=64, shuffle=True)
model = TabularNet()
recorder = Recorder()
learn = Learner(
    dl,
    model,
    nn.BCEWithLogitsLoss(),
    torch.optim.AdamW(model.parameters(), lr=2e-3),
    metrics=[AvgLoss(), Accuracy()],
    recorder=recorder,
)
learn.fit(3)
print(learn.recorder.summary())
