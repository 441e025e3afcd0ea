# gradwatch-corpus: kind=none
# Learn motion and noise model of a Kalman filter on a long pendulum record.
import torch
import torch.nn as nn


def pendulum(T, dt=0.05):
    th = torch.tensor(1.2)
    om = torch.tensor(0.0)
    obs = []
    for _ in range(T):
        om = om - dt * (9.81 * torch.sin(th) + 0.05 * om)
        th = th + dt * om
        obs.append(th + 0.05 * torch.randn(()))
    return torch.stack(obs).unsqueeze(1)


class LearnedKF(nn.Module):
    def __init__(self, n=2, m=1):
        super().__init__()
        self.A = nn.Parameter(torch.eye(n) + 0.01 * torch.randn(n, n))
        self.L_Q = nn.Parameter(0.1 * torch.eye(n))
        self.log_r = nn.Parameter(torch.full((m,), -3.0))
        self.register_buffer("C", torch.eye(m, n))
        self.belief = None

    def reset(self):
        n = self.A.size(0)
        self.belief = (torch.zeros(n), torch.eye(n))

    def detach_belief(self):
        self.belief = tuple(b.detach() for b in self.belief)

    def Q(self):
        L = torch.tril(self.L_Q)
        return L @ L.t() + 1e-4 * torch.eye(L.size(0))

    def filter(self, y):
        mu, P = self.belief
        mu = self.A @ mu
        P = self.A @ P @ self.A.t() + self.Q()
        S = self.C @ P @ self.C.t() + torch.diag(self.log_r.exp())
        nu = y - self.C @ mu
        K = torch.linalg.solve(S, self.C @ P).t()
        self.belief = (mu + K @ nu, P - K @ self.C @ P)
        return 0.5 * (nu @ torch.linalg.solve(S, nu) + torch.logdet(S))


def train(kf, y, k=6, epochs=2):
    opt = torch.optim.Adam(kf.parameters(), lr=5e-3)
    for epoch in range(epochs):
        kf.reset()
        window_nll = 0.0
        running = 0.0
        updates = 0
        for t in range(y.size(0)):
            nll = kf.filter(y[t])
            window_nll = window_nll + nll
            running += nll.item()
            if (t + 1) % k == 0:
                opt.zero_grad()
                (window_nll / k).backward()
                nn.utils.clip_grad_norm_(kf.parameters(), 1.0)
                opt.step()
                window_nll = 0.0
                kf.detach_belief()
                updates += 1
                if updates % 20 == 0:
                    print(f"epoch {epoch} update {updates} mean nll {running / (t + 1):.3f}")


if __name__ == "__main__":
    torch.manual_seed(21)
    kf = LearnedKF()
    train(kf, pendulum(360))
    print("eig A", torch.linalg.eigvals(kf.A.detach()))
