# gradwatch-corpus: kind=graph-chain
# holder: self.slow | prompts.slow | vit.prompts.slow | net.prompts.slow
# first-bad: 1
# notice: 5
# Visual prompt tuning: a patch transformer stays frozen, prompt tokens move at two speeds.
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(8)


class TwoSpeedPrompt(nn.Module):
    def __init__(self, n, d, mix=0.1):
        super().__init__()
        self.fast = nn.Parameter(torch.randn(n, d) * 0.3)
        self.mix = mix
        self.slow = torch.zeros(n, d)

    def forward(self, batch):
        tokens = torch.cat([self.fast, self.slow])
        return tokens.expand(batch, -1, -1)

    def settle(self):
        self.slow = torch.lerp(self.slow, self.fast, self.mix)  # <- culprit


class PatchNet(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.patch = nn.Conv2d(1, d, 4, 4)
        layer = nn.TransformerEncoderLayer(d, 2, 32, dropout=0.0, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, 1)
        self.requires_grad_(False)
        self.prompts = TwoSpeedPrompt(3, d)
        self.head = nn.Linear(d, 2)

    def forward(self, img):
        p = self.patch(img).flatten(2).transpose(1, 2)
        z = self.enc(torch.cat([self.prompts(len(img)), p], 1))
        return self.head(z.mean(1))


class Loop:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam([p for p in net.parameters() if p.requires_grad], lr=5e-3)

    @staticmethod
    def bars(n=8):
        img = torch.randn(n, 1, 12, 12) * 0.3
        y = torch.randint(0, 2, (n,))
        for i, k in enumerate(y.tolist()):
            j = int(torch.randint(0, 12, ()))
            (img[i, 0] if k else img[i, 0].t())[j] += 2.0
        return img, y

    def step(self):
        img, y = self.bars()
        loss = nn.functional.cross_entropy(self.net(img), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.net.prompts.settle()
        return loss.item()


loop = Loop(PatchNet())
recent = []
for n in range(300):
    recent = (recent + [loop.step()])[-50:]
    if n % 60 == 59:
        print(n + 1, round(sum(recent) / len(recent), 3))
