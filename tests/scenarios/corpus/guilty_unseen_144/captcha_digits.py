# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(35)


class Backprop:
    """Strategy object: knows how to turn a loss into parameter updates."""

    def __init__(self, opt, clip=None):
        self.opt, self.clip = opt, clip

    def __call__(self, loss):
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        if self.clip:
            nn.utils.clip_grad_norm_(self.params(), self.clip)
        self.opt.step()
        return loss.item()

    def params(self):
        return [p for g in self.opt.param_groups for p in g["params"]]


class SlotReader(nn.Module):
    def __init__(self, slots=3, classes=5):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.AdaptiveAvgPool2d((1, slots)))
        self.classify = nn.Conv1d(6, classes, 1)

    def forward(self, img):
        return self.classify(self.features(img).squeeze(2))


def captcha(glyphs, n=10):
    digits = torch.randint(0, 5, (n, 3))
    rows = torch.cat([glyphs[digits[:, i]] for i in range(3)], dim=2)
    return (rows + 0.2 * torch.randn_like(rows)).unsqueeze(1), digits


def main():
    glyphs = torch.rand(5, 6, 5).round()
    reader = SlotReader()
    update = Backprop(torch.optim.Adam(reader.parameters(), 1e-2), clip=5.0)
    for k in range(500):
        img, digits = captcha(glyphs)
        shown = update(nn.functional.cross_entropy(reader(img), digits))
        if k % 100 == 0:
            print(f"{k:>4} {shown:.4f}")


if __name__ == "__main__":
    main()
