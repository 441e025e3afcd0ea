# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Knowledge distillation of a deep bag-of-words classifier into a shallow one."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, CLASSES = 200, 3
args = {"T": 3.0, "alpha": 0.7, "lr": 5e-3, "batch": 48, "epochs": 3}


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.up = nn.Linear(d, 2 * d)
        self.down = nn.Linear(2 * d, d)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


class Reviewer(nn.Module):
    def __init__(self, d, depth):
        super().__init__()
        self.bag = nn.EmbeddingBag(VOCAB, d, mode="mean")
        self.blocks = nn.Sequential(*[Block(d) for _ in range(depth)])
        self.cls = nn.Linear(d, CLASSES)

    def forward(self, words):
        return self.cls(self.blocks(self.bag(words)))


def build_reviews(n, length=20, seed=0):
    g = torch.Generator().manual_seed(seed)
    polarity = torch.randn(VOCAB, CLASSES, generator=torch.Generator().manual_seed(123))
    words = torch.randint(0, VOCAB, (n, length), generator=g)
    labels = polarity[words].sum(1).argmax(1)
    return words, labels, polarity


class Distiller:
    def __init__(self, teacher, student, args):
        self.teacher = teacher
        self.student = student
        self.args = args
        self.optimizer = torch.optim.Adam(student.parameters(), lr=args["lr"])

    def soft_targets(self, words):
        self.teacher.eval()
        logits = self.teacher(words)  # <- culprit
        return F.softmax(logits / self.args["T"], dim=1).detach()

    def train_batch(self, words, labels):
        T, a = self.args["T"], self.args["alpha"]
        out = self.student(words)
        soft = F.kl_div(F.log_softmax(out / T, dim=1), self.soft_targets(words), reduction="batchmean") * T * T
        hard = F.cross_entropy(out, labels)
        loss = a * soft + (1 - a) * hard
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item(), (out.argmax(1) == labels).float().mean().item()

    def fit(self, words, labels):
        for epoch in range(1, self.args["epochs"] + 1):
            self.student.train()
            order = torch.randperm(len(words))
            tot, acc, n = 0.0, 0.0, 0
            for chunk in order.split(self.args["batch"]):
                l, c = self.train_batch(words[chunk], labels[chunk])
                tot, acc, n = tot + l, acc + c, n + 1
            print("epoch %d: loss %.4f, train acc %.3f" % (epoch, tot / n, acc / n))


def pretrained_teacher(polarity, d=32, depth=6):
    """the deep net with the word polarities put in by hand, instead of a checkpoint"""
    net = Reviewer(d, depth)
    state = copy.deepcopy(net.state_dict())
    state["bag.weight"][:, :CLASSES] = polarity * 4
    state["cls.weight"].zero_()
    state["cls.weight"][:, :CLASSES] = torch.eye(CLASSES) * 6
    for k in state:
        if ".down." in k:
            state[k] *= 0.1
    net.load_state_dict(state)
    return net


if __name__ == "__main__":
    torch.manual_seed(21)
    words, labels, polarity = build_reviews(1440)
    teacher = pretrained_teacher(polarity)
    student = Reviewer(12, 1)
    Distiller(teacher, student, args).fit(words, labels)
    test_w, test_l, _ = build_reviews(400, seed=9)
    with torch.no_grad():
        print("teacher test acc %.3f" % (teacher(test_w).argmax(1) == test_l).float().mean().item())
        print("student test acc %.3f" % (student(test_w).argmax(1) == test_l).float().mean().item())
