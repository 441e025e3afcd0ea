# gradwatch-corpus: kind=none
# the TBPTT(k1, k2) class that is always linked when someone asks for it
import torch
import torch.nn as nn
torch.set_num_threads(1)
torch.manual_seed(5)


class TBPTT():
    def __init__(self, one_step_module, loss_module, k1, k2, optimizer):
        self.one_step_module = one_step_module
        self.loss_module = loss_module
        self.k1 = k1
        self.k2 = k2
        self.retain_graph = k1 < k2
        self.optimizer = optimizer

    def train(self, input_sequence, init_state):
        states = [(None, init_state)]
        total = 0.
        self.optimizer.zero_grad()
        for j, (inp, target) in enumerate(input_sequence):
            state = states[-1][1].detach()
            state.requires_grad = True
            output, new_state = self.one_step_module(inp, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                # Delete stuff that is too old
                del states[0]
            if (j + 1) % self.k1 == 0:
                loss = self.loss_module(output, target)
                loss.backward(retain_graph=self.retain_graph)
                total += loss.item()
                for i in range(self.k2 - 1):
                    # if we get all the way back to the "init_state", stop
                    if states[-i - 2][0] is None:
                        break
                    curr_grad = states[-i - 1][0].grad
                    states[-i - 2][1].backward(curr_grad, retain_graph=self.retain_graph)
                for s, _ in states:
                    if s is not None:
                        s.grad = None
        nn.utils.clip_grad_norm_(self.one_step_module.parameters(), 1.)
        self.optimizer.step()
        return total


class MyMod(nn.Module):
    def __init__(self, n_in, n):
        super().__init__()
        self.cell = nn.GRUCell(n_in, n)
        self.out = nn.Linear(n, 1)

    def forward(self, inp, state):
        new = self.cell(inp, state)
        return self.out(new), new


def delayed(T=12):
    x = torch.randn(T, 3, 1)
    y = torch.cat([torch.zeros(2, 3, 1), x[:-2]])
    return list(zip(x, y))


net = MyMod(1, 10)
runner = TBPTT(net, nn.MSELoss(), k1=2, k2=5, optimizer=torch.optim.Adam(net.parameters(), lr=5e-3))
for seq in range(420):
    tot = runner.train(delayed(), torch.zeros(3, 10))
    if seq % 70 == 0:
        print(seq, tot / 6)
