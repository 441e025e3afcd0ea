# gradwatch-corpus: kind=none
import argparse
from collections import OrderedDict

import torch
from torch import nn

LOSSES = {}


def register_loss(name):
    def deco(fn):
        LOSSES[name] = fn
        return fn
    return deco


@register_loss("hint")
def hint_loss(student_feats, teacher_feats):
    return sum(nn.functional.mse_loss(s, t) for s, t in zip(student_feats, teacher_feats)) / len(student_feats)


@register_loss("attention")
def attention_loss(student_feats, teacher_feats):
    def attn(f):
        return nn.functional.normalize(f.pow(2).mean(1).flatten(1), dim=1)
    return sum((attn(s) - attn(t)).pow(2).mean() for s, t in zip(student_feats, teacher_feats))


class FeatureTap:
    """Collects the outputs of some layers while the block is open."""

    def __init__(self, net, names):
        self.net, self.names = net, names
        self.store = []
        self.handles = []

    def _save(self, module, args, output):
        self.store.append(output)

    def __enter__(self):
        mods = dict(self.net.named_modules())
        self.handles = [mods[n].register_forward_hook(self._save) for n in self.names]
        return self

    def take(self):
        feats, self.store = self.store, []
        return feats

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()


class TeacherCache:
    def __init__(self, teacher, tap, capacity):
        self.teacher, self.tap, self.capacity = teacher, tap, capacity
        self.entries = OrderedDict()

    def features(self, key, image):
        if key in self.entries:
            self.entries.move_to_end(key)
            return self.entries[key]
        with torch.no_grad():
            self.teacher(image)
        self.entries[key] = self.tap.take()
        if len(self.entries) > self.capacity:
            self.entries.popitem(last=False)
        return self.entries[key]


def conv_net(width):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(width, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
        nn.Flatten(), nn.Linear(8, 3))


def inspect_images(n_batches, size):
    data = []
    for _ in range(n_batches):
        kind = torch.randint(0, 3, (size,))
        img = 0.3 * torch.randn(size, 1, 16, 16)
        img[kind == 1, :, 7:9] += 1.0
        img[kind == 2, :, :, 7:9] += 1.0
        data.append((img, kind))
    return data


def train(args):
    teacher, student = conv_net(16).eval(), conv_net(6)
    opt = torch.optim.SGD(student.parameters(), lr=args.lr, momentum=0.9)
    data = inspect_images(12, 16)
    taps = ["4"]
    with FeatureTap(teacher, taps) as t_tap, FeatureTap(student, taps) as s_tap:
        cache = TeacherCache(teacher, t_tap, capacity=8)
        for step in range(args.steps):
            shown = 0.0
            for _ in range(args.accumulate):
                key = int(torch.randint(len(data), ()))
                img, kind = data[key]
                ce = nn.functional.cross_entropy(student(img), kind)
                match = LOSSES[args.match](s_tap.take(), cache.features(key, img))
                loss = (ce + args.weight * match) / args.accumulate
                loss.backward()
                shown += loss.item()
            opt.step()
            opt.zero_grad()
            if step % 30 == 0:
                print(f"step {step:3d} loss {shown:.4f} cached {len(cache.entries)}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--accumulate", type=int, default=2)
    p.add_argument("--match", choices=sorted(LOSSES), default="hint")
    p.add_argument("--weight", type=float, default=0.5)
    p.add_argument("--lr", type=float, default=0.05)
    torch.manual_seed(29)
    train(p.parse_args())
