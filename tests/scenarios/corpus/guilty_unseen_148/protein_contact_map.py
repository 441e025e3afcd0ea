# gradwatch-corpus: kind=graph-held
# holder: feats | bank | bank[name] | collected
# first-bad: 1
# notice: 8
"""Contact prediction from toy sequences with axial attention; layer statistics kept for a CKA plot."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(5)

AA, L, DIM = 20, 18, 24


class ResidueEmbed(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(AA, DIM)
        self.pos = nn.Parameter(torch.randn(L, DIM) * 0.1)

    def forward(self, seq):
        return self.tok(seq) + self.pos


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.attn = nn.MultiheadAttention(DIM, 4, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(DIM, 48), nn.SiLU(), nn.Linear(48, DIM))

    def forward(self, x):
        h = self.n1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        return x + self.ff(self.n2(x))


class ContactNet(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.embed = ResidueEmbed()
        self.blocks = nn.ModuleList(Block() for _ in range(depth))
        self.left = nn.Linear(DIM, 16)
        self.right = nn.Linear(DIM, 16)

    def forward(self, seq):
        x = self.embed(seq)
        for b in self.blocks:
            x = b(x)
        logits = torch.einsum("bid,bjd->bij", self.left(x), self.right(x))
        return 0.5 * (logits + logits.transpose(1, 2))


def collect_representations(model, prefix="blocks."):
    bank = {}

    def make(name):
        feats = bank.setdefault(name, [])

        def hook(_module, _inputs, output):
            feats.append(output.mean(dim=1))  # <- culprit

        return hook

    for name, mod in model.named_modules():
        if name.startswith(prefix) and name.count(".") == 1:
            mod.register_forward_hook(make(name))  # <- culprit
    return bank


def linear_cka(x, y):
    x, y = x - x.mean(0), y - y.mean(0)
    return ((x.T @ y).norm() ** 2 / ((x.T @ x).norm() * (y.T @ y).norm())).item()


def batch(n=8):
    seq = torch.randint(0, AA, (n, L))
    hydro = (seq % 4 == 0).float()
    contact = hydro[:, :, None] * hydro[:, None, :]
    return seq, contact


def main():
    model = ContactNet()
    collected = collect_representations(model)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for it in range(90):
        seq, contact = batch()
        loss = F.binary_cross_entropy_with_logits(model(seq), contact)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 30 == 29:
            print(f"{it + 1} bce {loss.item():.4f}")
    a, b = (torch.cat(v[-20:]) for v in collected.values())
    print(f"CKA between blocks: {linear_cka(a, b):.3f}")


if __name__ == "__main__":
    main()
