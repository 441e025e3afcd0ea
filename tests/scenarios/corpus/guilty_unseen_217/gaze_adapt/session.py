from dataclasses import dataclass, field
from typing import Optional

import torch


@dataclass
class Session:
    n_users: int
    frame: int = 0
    hidden: Optional[torch.Tensor] = None
    errors: list = field(default_factory=list)

    def advance(self, hidden, err):
        self.hidden = hidden  # <- culprit
        self.errors.append(err)
        self.frame += 1


def synth_frame(session, n_landmarks, w):
    target = torch.stack([torch.sin(torch.tensor(session.frame / 9.0)) + 0.3 * torch.randn(session.n_users),
                          torch.cos(torch.tensor(session.frame / 7.0)) + 0.3 * torch.randn(session.n_users)], 1)
    pts = (target @ w).view(session.n_users, n_landmarks, 2) + 0.1 * torch.randn(session.n_users, n_landmarks, 2)
    return pts, target


class TrackingLoop:
    def __init__(self, model, opt, session):
        self.model, self.opt, self.session = model, opt, session
        self.w = torch.randn(2, model.n_landmarks * 2)
        session.hidden = model.init_hidden(session.n_users)

    def calibrate(self, n_frames):
        s = self.session
        for _ in range(n_frames):
            pts, target = synth_frame(s, self.model.n_landmarks, self.w)
            gaze, hidden = self.model(pts, s.hidden)  # <- culprit
            loss = (gaze - target).pow(2).sum(-1).mean()
            self.opt.zero_grad()
            loss.backward(retain_graph=True)
            self.opt.step()
            s.advance(hidden, loss.item() ** 0.5)

    def mean_error(self, last=20):
        tail = self.session.errors[-last:]
        return sum(tail) / len(tail)
