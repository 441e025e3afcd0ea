# gradwatch-corpus: kind=none
"""Motor current model trained with truncated backprop through time, TBPTT(k1, k2) from the forum recipe."""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)


class MotorCell(nn.Module):
    def __init__(self, n_in=2, n_state=8):
        super().__init__()
        self.n_state = n_state
        self.mix = nn.Linear(n_in + n_state, n_state)
        self.out = nn.Linear(n_state, 1)

    def forward(self, u, state):
        new = 0.5 * state + 0.5 * torch.tanh(self.mix(torch.cat([u, state], 1)))
        return self.out(new), new


class TBPTT:
    def __init__(self, one_step_module, loss_module, k1, k2, optimizer):
        self.one_step_module = one_step_module
        self.loss_module = loss_module
        self.k1, self.k2 = k1, k2
        self.retain_graph = k1 < k2
        self.optimizer = optimizer

    def train(self, input_sequence, init_state):
        states = [(None, init_state)]
        self.optimizer.zero_grad()
        seen, last = 0, 0.0
        for j, (inp, target) in enumerate(input_sequence):
            state = states[-1][1].detach()
            state.requires_grad = True
            output, new_state = self.one_step_module(inp, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                del states[0]
            if (j + 1) % self.k1 == 0:
                loss = self.loss_module(output, target)
                loss.backward(retain_graph=self.retain_graph)
                for i in range(self.k2 - 1):
                    if i == len(states) - 1 or states[-i - 1][0] is None or states[-i - 2][0] is None:
                        break
                    curr_grad = states[-i - 1][0].grad
                    states[-i - 2][1].backward(curr_grad, retain_graph=self.retain_graph)
                    states[-i - 1][0].grad = None
                last += loss.item()
                seen += 1
        nn.utils.clip_grad_norm_(self.one_step_module.parameters(), 1.0)
        self.optimizer.step()
        return last / max(1, seen)


def drive_cycle(n_batch, steps):
    speed = torch.zeros(n_batch, 1)
    cur = torch.zeros(n_batch, 1)
    phase = 6.28 * torch.rand(n_batch, 1)
    for k in range(steps):
        volt = torch.sin(0.4 * k + phase) + 0.1 * torch.randn(n_batch, 1)
        cur = cur + 0.3 * (volt - cur - 0.5 * speed)
        speed = speed + 0.2 * (cur - 0.1 * speed)
        yield torch.cat([volt, torch.full_like(volt, math.cos(0.4 * k))], 1), cur.clone()


def main():
    torch.manual_seed(3)
    cell = MotorCell()
    opt = torch.optim.Adam(cell.parameters(), lr=5e-3)
    runner = TBPTT(cell, nn.MSELoss(), k1=3, k2=6, optimizer=opt)
    for it in range(400):
        loss = runner.train(drive_cycle(6, 15), torch.zeros(6, cell.n_state))
        if it % 80 == 0:
            print("cycle", it, "mse", round(loss, 4))


if __name__ == "__main__":
    main()
