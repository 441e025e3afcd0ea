# gradwatch-corpus: kind=none
"""Neural Turing machine on a short copy task; memory is wiped for each sequence."""
import torch
import torch.nn as nn

from .ntm import NTM

torch.set_num_threads(1)


def sequence(length, width):
    bits = (torch.rand(length, width) < 0.5).float()
    inp = torch.zeros(2 * length + 1, width + 1)
    inp[:length, :width] = bits
    inp[length, width] = 1.0
    return inp, bits


def run_sequence(net, inp, target):
    net.reset()
    bce = nn.BCELoss()
    loss, wrong = 0.0, 0
    length = len(target)
    for t, frame in enumerate(inp):
        out = net(frame)
        if t > length:
            goal = target[t - length - 1]
            loss = loss + bce(out, goal)
            wrong += (out.round() != goal).sum().item()
    return loss / length, wrong


def main():
    torch.manual_seed(1000)
    net = NTM(width=4, slots=6, cell=5)
    opt = torch.optim.RMSprop(net.parameters(), lr=2e-3, alpha=0.95, momentum=0.5)
    costs, losses = [], []
    for n in range(400):
        length = int(torch.randint(1, 4, ()))
        inp, target = sequence(length, 4)
        loss, wrong = run_sequence(net, inp, target)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(net.parameters(), 5.0)
        opt.step()
        costs.append(wrong)
        losses.append(loss.item())
        if (n + 1) % 80 == 0:
            print("Batch", n + 1, "Loss: %.4f Cost: %.2f bits" % (sum(losses[-80:]) / 80, sum(costs[-80:]) / 80))


main()
