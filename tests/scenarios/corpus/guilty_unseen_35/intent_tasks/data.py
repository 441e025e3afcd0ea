import torch

TASKS = ["banking", "travel", "weather", "music", "smart_home", "news"]
LABELS_PER_TASK = 5


def make_utterances(vocab):
    gen = torch.Generator().manual_seed(77)
    phrases = {t: torch.randint(vocab, (LABELS_PER_TASK, 4), generator=gen) for t in TASKS}
    filler = torch.randint(vocab, (20,), generator=gen)

    def draw(task, n):
        gold = torch.randint(LABELS_PER_TASK, (n,), generator=gen)
        core = phrases[task][gold]
        noise = filler[torch.randint(len(filler), (n, 4), generator=gen)]
        return torch.cat([core, noise], dim=1), gold

    return phrases, draw
