# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
import numpy as np
import torch
torch.set_num_threads(1)

np.random.seed(1234)
torch.manual_seed(1234)


class PhysicsInformedNN():
    def __init__(self, X_u, u, X_f, layers, nu):
        self.x_u = torch.tensor(X_u[:, 0:1]).float()
        self.t_u = torch.tensor(X_u[:, 1:2]).float()
        self.x_f = torch.tensor(X_f[:, 0:1], requires_grad=True, dtype=torch.float32)
        self.t_f = torch.tensor(X_f[:, 1:2], requires_grad=True, dtype=torch.float32)
        self.u = torch.tensor(u).float()
        self.nu = nu
        mods = []
        for i in range(len(layers) - 2):
            mods += [torch.nn.Linear(layers[i], layers[i + 1]), torch.nn.Tanh()]
        self.dnn = torch.nn.Sequential(*mods, torch.nn.Linear(layers[-2], layers[-1]))
        self.optimizer = torch.optim.Adam(self.dnn.parameters(), lr=2e-3)
        self.iter = 0

    def net_u(self, x, t):
        return self.dnn(torch.cat([x, t], dim=1))

    def net_f(self, x, t):
        u = self.net_u(x, t)
        one = torch.ones_like(u)
        u_t = torch.autograd.grad(u, t, grad_outputs=one, create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, grad_outputs=one, create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, grad_outputs=one, create_graph=True)[0]
        return u_t + u * u_x - self.nu * u_xx

    def loss_func(self):
        loss_u = torch.mean((self.u - self.net_u(self.x_u, self.t_u)) ** 2)
        loss_f = torch.mean(self.net_f(self.x_f, self.t_f) ** 2)
        loss = loss_u + loss_f
        loss.backward(retain_graph=True)  # <- culprit
        self.iter += 1
        if self.iter % 200 == 0:
            print('Iter %d, Loss: %.5e, Loss_u: %.5e, Loss_f: %.5e' % (self.iter, loss.item(), loss_u.item(), loss_f.item()))

    def train(self, nIter):
        self.dnn.train()
        for _ in range(nIter):
            self.optimizer.zero_grad()
            self.loss_func()
            self.optimizer.step()


x0 = np.random.uniform(-1, 1, (20, 1))
X_u_train = np.vstack([np.hstack([x0, np.zeros_like(x0)]), [[-1, .5], [1, .5], [-1, .9], [1, .9]]])
u_train = np.vstack([-np.sin(np.pi * x0), np.zeros((4, 1))])
X_f_train = np.random.uniform([-1, 0], [1, 1], (50, 2))

model = PhysicsInformedNN(X_u_train, u_train, X_f_train, [2, 16, 16, 1], 0.01 / np.pi)
model.train(800)
