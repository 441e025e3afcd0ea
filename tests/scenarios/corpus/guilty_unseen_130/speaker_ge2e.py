# gradwatch-corpus: kind=crashed
# first-bad: 175
# notice: 0
import warnings
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
warnings.filterwarnings("ignore", category=UserWarning)


class SpeakerNet(nn.Module):
    LONG = 40

    def __init__(self, mels=20, dim=24):
        super().__init__()
        self.proj = nn.Linear(mels, dim)
        self.lstm = nn.LSTM(dim, dim, batch_first=True)
        self.emb = nn.Linear(dim, dim)

    def encode(self, mel):
        h, _ = self.lstm(F.leaky_relu(self.proj(mel)))
        return F.normalize(self.emb(h[:, -1]), dim=-1)

    def forward(self, mel):
        if mel.shape[1] > self.LONG:
            return checkpoint(self.encode, mel, use_reentrant=True)  # <- culprit
        return self.encode(mel)


def ge2e(emb, speakers, each, scale=10.0):
    e = emb.view(speakers, each, -1)
    total = e.sum(1, keepdim=True)
    mine = F.normalize((total - e) / (each - 1), dim=-1)
    cents = F.normalize(total.squeeze(1) / each, dim=-1)
    sim = torch.einsum("sed,kd->sek", e, cents)
    own = (e * mine).sum(-1)
    eye = torch.eye(speakers, dtype=torch.bool).unsqueeze(1)
    sim = torch.where(eye, own.unsqueeze(-1), sim) * scale
    return F.cross_entropy(sim.flatten(0, 1), torch.arange(speakers).repeat_interleave(each))


def voices(length, speakers=4, each=3):
    timbre = torch.randn(speakers, 1, 1, 20)
    return (timbre + 0.7 * torch.randn(speakers, each, length, 20)).flatten(0, 1)


def frames_for(epoch):
    return min(16 + 6 * epoch, 60)


if __name__ == "__main__":
    torch.manual_seed(19)
    net = SpeakerNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(10):
        n = frames_for(epoch)
        for _ in range(35):
            loss = ge2e(net(voices(n)), 4, 3)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, n, loss.item())
