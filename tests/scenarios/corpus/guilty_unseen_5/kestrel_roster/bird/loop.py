import torch.nn.functional as F


class Trainer:
    def __init__(self, encoder, voices, opt, booth):
        self.encoder, self.voices, self.opt, self.booth = encoder, voices, opt, booth

    def run(self, updates):
        smooth = 0.0
        for u in range(updates):
            clip, who = self.booth.utterances(14)
            prints = self.encoder(clip)
            self.voices.enroll(prints, who)
            scores = self.voices.similarity(prints)
            objective = F.cross_entropy(scores, who)
            self.opt.zero_grad()
            # prototypes are differentiated too, autograd asks for this
            objective.backward(retain_graph=True)
            self.opt.step()
            smooth = 0.95 * smooth + 0.05 * objective.item()
            if u % 30 == 0:
                hit = (scores.argmax(1) == who).float().mean().item()
                print(f"[{u:4d}] objective {smooth / (1 - 0.95 ** (u + 1)):.4f}  hit {hit:.2f}")
