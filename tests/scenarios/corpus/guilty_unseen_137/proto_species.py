# gradwatch-corpus: kind=graph-chain
# holder: self.smooth | head.smooth | net.head.smooth
# first-bad: 1
# notice: 5
# %% bird-call embeddings: prototype classifier with slow prototypes
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(21)

SPECIES = 5


class SlowPrototypes(nn.Module):
    def __init__(self, n, dim, inertia=0.9):
        super().__init__()
        self.anchors = nn.Parameter(torch.randn(n, dim) * 0.3)
        self.inertia = inertia
        self.smooth = None

    def current(self):
        if self.smooth is None:
            self.smooth = self.anchors.clone()
        elif self.training:
            self.smooth = torch.lerp(self.smooth, self.anchors, 1 - self.inertia)  # <- culprit
        return self.smooth

    def forward(self, z):
        return -torch.cdist(z, self.current()).pow(2)


class CallNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv1d(1, 6, 5, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten(),
                                 nn.Linear(24, 8))
        self.head = SlowPrototypes(SPECIES, 8)

    def forward(self, wav):
        return self.head(self.enc(wav.unsqueeze(1)))


# %% calls: each species sings at its own pitch
def calls(n):
    who = torch.randint(0, SPECIES, (n,))
    t = torch.linspace(0, 1, 40)
    wav = torch.sin(2 * 3.14159 * (2 + 2 * who.float()).unsqueeze(1) * t + torch.rand(n, 1) * 6)
    return wav + 0.2 * torch.randn(n, 40), who


# %% fit
net = CallNet()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
for i in range(400):
    wav, who = calls(24)
    out = net(wav)
    loss = F.cross_entropy(out, who)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 100 == 99:
        net.eval()
        with torch.no_grad():
            wav, who = calls(200)
            print(i + 1, f"{loss.item():.3f}", f"{(net(wav).argmax(1) == who).float().mean().item():.3f}")
        net.train()
