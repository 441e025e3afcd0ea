# gradwatch-corpus: kind=graph-chain
# holder: learner.anchor.shadow | self.anchor.shadow | self.shadow
# first-bad: 2
# notice: 5
# after: PaddlePaddle/PaddleNLP #6003 (EMA update without no_grad) / ultralytics #25315 (EMA of live parameters recorded by autograd)
# Activity recognition on wrist accelerometer, one new user after the other.
# Weights are pulled towards their own slow average (anchor) so that old users are not forgotten.
import torch, torch.nn as nn, torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(s, c=6, k=8):
        super().__init__()
        s.conv1 = nn.Conv1d(c, 16, 5, stride=2)
        s.conv2 = nn.Conv1d(16, 32, 5, stride=2)
        s.head = nn.Linear(32, k)

    def forward(s, x):
        x = F.relu(s.conv1(x))
        x = F.relu(s.conv2(x)).mean(-1)
        return s.head(x)


class Anchor:
    def __init__(self, net, decay):
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in net.named_parameters()}

    def penalty(self, net):
        return sum(F.mse_loss(p, self.shadow[n], reduction="sum") for n, p in net.named_parameters())

    def follow(self, net):
        for n, p in net.named_parameters():
            self.shadow[n] = torch.lerp(self.shadow[n], p, 1 - self.decay)  # <- culprit


class ContinualLearner:
    def __init__(self):
        self.net = Net()
        self.anchor = Anchor(self.net, 0.98)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.02, momentum=0.9)

    def observe(self, x, y):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(x), y) + 0.5 * self.anchor.penalty(self.net)
        loss.backward()
        self.opt.step()
        self.anchor.follow(self.net)
        return loss.item()


learner = ContinualLearner()
for user in range(6):
    shift = torch.randn(6, 1)
    tot = 0.0
    for _ in range(15):
        y = torch.randint(0, 8, (24,))
        x = torch.randn(24, 6, 64) + shift + y[:, None, None] * 0.2
        tot += learner.observe(x, y)
    print("user", user, "loss", round(tot / 15, 4))
