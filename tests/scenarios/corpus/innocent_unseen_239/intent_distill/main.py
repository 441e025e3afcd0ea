# gradwatch-corpus: kind=none
import torch

from kd import CallbackList, EmaTeacher, EpochReport, IntentNet, Loop

VOCAB = 120
INTENTS = 6


def main():
    torch.manual_seed(815)
    topic_words = torch.randint(1, VOCAB, (INTENTS, 15))

    def make_batches():
        for _ in range(20):
            labels = torch.randint(0, INTENTS, (48,))
            picks = topic_words[labels].gather(1, torch.randint(0, 15, (48, 10)))
            noise = torch.randint(1, VOCAB, picks.shape)
            yield torch.where(torch.rand(picks.shape) < 0.5, noise, picks), labels

    student = IntentNet(VOCAB, 24, INTENTS)
    teacher = EmaTeacher(student, decay=0.97)
    loop = Loop(student, teacher, CallbackList(teacher, EpochReport()), lr=4e-3, consistency=0.7)
    loop.run(7, make_batches)


if __name__ == "__main__":
    main()
