# gradwatch-corpus: kind=second-backward
# holder: self.templates | matcher.templates
# first-bad: 1
"""Phase picking by matching traces against learned templates of each phase."""
import torch
from torch import nn

from matcher import TemplateMatcher
from traces import sample

torch.manual_seed(2)
torch.set_num_threads(1)


def train(matcher, steps):
    opt = torch.optim.Adam(matcher.parameters(), lr=1e-3)
    matcher.prepare()  # <- culprit
    for step in range(steps):
        x, y = sample(24)
        loss = nn.functional.cross_entropy(matcher(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(step, loss.item())


if __name__ == "__main__":
    train(TemplateMatcher(phases=3, length=40, width=16), 100)
