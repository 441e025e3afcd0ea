# gradwatch-corpus: kind=grads-accumulate
"""Adversarial domain adaptation: features, classifier, domain critic."""
import torch
import torch.nn as nn
from torch.nn.functional import cross_entropy, binary_cross_entropy_with_logits as bce


def domain(n, shift):
    y = torch.randint(0, 3, (n,))
    return means[y] + 0.4 * torch.randn(n, 6) + shift, y


torch.manual_seed(88)
means = torch.randn(3, 6) * 2
feat = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 12), nn.ReLU())
clf = nn.Linear(12, 3)
critic = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 1))

opt_main = torch.optim.Adam(list(feat.parameters()) + list(clf.parameters()), lr=2e-3)
opt_critic = torch.optim.Adam(critic.parameters(), lr=1e-3)

shift = torch.tensor([0.5, -0.5, 0.0, 0.3, 0.0, 0.0])
for it in range(160):
    xs, ys = domain(32, 0.0)
    xt, _ = domain(32, shift)

    # critic
    opt_main.zero_grad()  # <- culprit
    with torch.no_grad():
        fs, ft = feat(xs), feat(xt)
    c_loss = bce(critic(fs), torch.ones(32, 1)) + bce(critic(ft), torch.zeros(32, 1))
    c_loss.backward()
    opt_critic.step()  # <- culprit

    # features and classifier
    opt_main.zero_grad()
    f_s, f_t = feat(xs), feat(xt)
    loss = cross_entropy(clf(f_s), ys) + 0.1 * bce(critic(f_t), torch.ones(32, 1))
    loss.backward()
    opt_main.step()

    if it % 40 == 0:
        print("it %3d  task %.3f  critic %.3f" % (it, loss.item(), c_loss.item()))
