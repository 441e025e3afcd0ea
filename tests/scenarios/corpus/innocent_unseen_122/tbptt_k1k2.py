# gradwatch-corpus: kind=none
# TBPTT(k1, k2) as discussed in "Implementing Truncated Backpropagation Through Time" on the forum.
# The gradient of a whole segment is collected, then one optimizer step, then the next segment starts afresh.
import torch
torch.set_num_threads(1)
import torch.nn as nn


class OneStep(nn.Module):
    def __init__(self, n_in, n_h):
        super().__init__()
        self.cell = nn.GRUCell(n_in, n_h)
        self.readout = nn.Linear(n_h, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.readout(h), h


class TBPTT:
    def __init__(self, one_step, loss_module, k1, k2, segment, optimizer):
        self.one_step, self.loss_module, self.k1, self.k2 = one_step, loss_module, k1, k2
        self.segment = segment
        self.optimizer = optimizer

    def back(self, states, loss, keep):
        loss.backward(retain_graph=keep)
        for i in range(1, len(states)):
            inp, _ = states[-i]
            _, out_before = states[-i - 1]
            if inp.grad is None or not out_before.requires_grad:
                break
            g, inp.grad = inp.grad, None
            out_before.backward(g, retain_graph=keep)

    def train(self, sequence, init_state):
        states = [(None, init_state)]
        total, count = 0.0, 0
        self.optimizer.zero_grad()
        for j, (inp, target) in enumerate(sequence, 1):
            state = states[-1][1].detach().requires_grad_()
            output, new_state = self.one_step(inp, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                del states[0]
            if j % self.k1 == 0:
                loss = self.loss_module(output, target)
                self.back(states, loss, keep=j % self.segment != 0)
                total += loss.item()
                count += 1
            if j % self.segment == 0:
                nn.utils.clip_grad_norm_(self.one_step.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()
                states = [(None, states[-1][1].detach())]
        return total / count


def echo_sequence(n, lag=2):
    x = torch.randn(n, 4, 1)
    for t in range(n):
        yield x[t], x[t - lag] if t >= lag else torch.zeros(4, 1)


torch.manual_seed(30)
net = OneStep(1, 16)
runner = TBPTT(net, nn.MSELoss(), k1=3, k2=6, segment=9, optimizer=torch.optim.Adam(net.parameters(), lr=8e-3))
for epoch in range(24):
    avg = runner.train(echo_sequence(180), torch.zeros(4, 16))
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1}: mse {avg:.3f}")
