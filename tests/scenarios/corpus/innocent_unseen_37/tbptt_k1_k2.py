# gradwatch-corpus: kind=none
"""Truncated BPTT with separate k1 / k2 on a delayed-echo task."""
import torch
import torch.nn as nn

torch.set_num_threads(1)


class PlainSGD(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.data.add_(p.grad.data, alpha=-group["lr"])


class TBPTT:
    def __init__(self, one_step_module, loss_module, k1, k2, optimizer):
        self.one_step_module = one_step_module
        self.loss_module = loss_module
        self.k1, self.k2 = k1, k2
        self.retain_graph = k1 < k2
        self.optimizer = optimizer

    def train(self, input_sequence, init_state):
        states = [(None, init_state)]
        seen = []
        for j, (inp, target) in enumerate(input_sequence):
            state = states[-1][1].detach()
            state.requires_grad = True
            output, new_state = self.one_step_module(inp, state)
            states.append((state, new_state))

            while len(states) > self.k2:
                del states[0]

            if (j + 1) % self.k1 == 0:
                loss = self.loss_module(output, target)
                seen.append(loss.item())

                self.optimizer.zero_grad()
                loss.backward(retain_graph=self.retain_graph)
                for i in range(self.k2 - 1):
                    if len(states) < i + 2 or states[-i - 2][0] is None:
                        break
                    curr_grad = states[-i - 1][0].grad
                    states[-i - 2][1].backward(curr_grad, retain_graph=self.retain_graph)
                    # the gradient has been passed on
                    states[-i - 1][0].grad = None
                self.optimizer.step()
                if len(seen) % 25 == 0:
                    print("t=%d loss %.4f" % (j + 1, sum(seen[-25:]) / 25))
        return seen


class EchoNet(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.i2h = nn.Linear(d, h)
        self.h2h = nn.Linear(h, h, bias=False)
        self.h2o = nn.Linear(h, 1)

    def forward(self, x, s):
        s = torch.tanh(self.i2h(x) + self.h2h(s))
        return self.h2o(s).squeeze(1), s


def echo(n, batch, delay):
    g = torch.Generator().manual_seed(1)
    bits = torch.randint(0, 2, (n + delay, batch), generator=g).float()
    for t in range(n):
        yield bits[t + delay].unsqueeze(1), bits[t]


if __name__ == "__main__":
    torch.manual_seed(0)
    net = EchoNet(1, 24)
    runner = TBPTT(net, nn.BCEWithLogitsLoss(), k1=2, k2=6, optimizer=PlainSGD(net.parameters(), 0.1))
    hist = runner.train(echo(240, 16, 2), torch.zeros(16, 24))
    print("last", hist[-1])
