"""What can go wrong between us and a language model. None of these sentences quotes a key, a question or a book."""

from __future__ import annotations

from engine.errors import UnderstoryError
from engine.translate import _


class ModelError(UnderstoryError):
    """A model gave no whole answer.

    Attributes:
        partial_text: What had come of the answer.
        has_begun: Something had come, reasoning included: the call is paid for and must not be made again in secret.
        is_temporary: The same call may succeed later, so whoever has time makes it again.
        retry_after_s: How long the provider asks to wait; None where it does not say.
    """

    exit_code = 6
    is_temporary = False
    retry_after_s: float | None = None

    def __init__(self, *, title: str, message: str) -> None:
        super().__init__(title=title, message=message)
        self.partial_text = ""
        self.has_begun = False


class ModelCancelledError(ModelError):
    """Whoever asked has given the call up."""

    def __init__(self) -> None:
        super().__init__(title=_("Stopped"), message=_("The question to the model was given up."))


class ModelMissingError(ModelError):
    """No model is named for a role."""

    def __init__(self, role: str) -> None:
        super().__init__(
            title=_("No model yet"),
            message=_(
                "No model is chosen as {role}. `understory models use {role} MODEL` names one, or the Models page."
            ).format(role=role),
        )


class ModelUnknownError(ModelError):
    """A name no model answers to."""

    def __init__(self, name: str) -> None:
        super().__init__(
            title=_("No such model"),
            message=_("There is no model {name}. `understory models` lists those there are.").format(name=name),
        )


class ModelUnfitError(ModelError):
    """The model cannot do what is asked of it."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(
            title=_("This model cannot do that"),
            message=_("{name}: {what}. Choose another on the Models page.").format(name=name, what=what),
        )


class KeyMissingError(ModelError):
    """The model needs a key that neither llm's store nor the environment has."""

    def __init__(self, name: str, key_name: str) -> None:
        super().__init__(
            title=_("A key is missing"),
            message=_("{name} needs the key {key}. `llm keys set {key}` stores it.").format(name=name, key=key_name),
        )


class KeyRefusedError(ModelError):
    """The provider did not take the key."""

    def __init__(self, name: str, key_name: str) -> None:
        super().__init__(
            title=_("The key was refused"),
            message=(
                _("{name} did not take the key {key}. `llm keys set {key}` stores another one.")
                if key_name
                else _("{name} wants a key. `llm keys set NAME` stores one; add the model again with --key-name NAME.")
            ).format(name=name, key=key_name),
        )


class ModelBusyError(ModelError):
    """The provider asks for fewer calls, or the account is used up."""

    is_temporary = True

    def __init__(self, name: str, retry_after_s: float | None = None) -> None:
        super().__init__(
            title=_("The model is busy"),
            message=_(
                "{name} takes no more calls for now. Wait a while, or look at the limits of your account."
            ).format(name=name),
        )
        self.retry_after_s = retry_after_s


class AccountEmptyError(ModelError):
    """The provider wants money before it goes on."""

    def __init__(self, name: str) -> None:
        super().__init__(
            title=_("The account is used up"),
            message=_("{name} takes no calls: the account behind the key has no credit left.").format(name=name),
        )


class ModelTroubleError(ModelError):
    """The provider failed while it worked."""

    is_temporary = True

    def __init__(self, name: str, status: int | str, retry_after_s: float | None = None) -> None:
        super().__init__(
            title=_("The model's provider has trouble"),
            message=_("{name} answered with error {status}. Try again later.").format(name=name, status=status),
        )
        self.retry_after_s = retry_after_s


class ModelUnreachableError(ModelError):
    """No connection to the model's address."""

    is_temporary = True

    def __init__(self, name: str, host: str) -> None:
        super().__init__(
            title=_("The model cannot be reached"),
            message=_("{name}: nobody answers at {host}. Check the network, and that the model runs.").format(
                name=name, host=host
            ),
        )


class ModelSlowError(ModelError):
    """Nothing came for too long, or the whole took too long."""

    is_temporary = True

    def __init__(self, name: str, seconds: float, *, is_total: bool = False) -> None:
        super().__init__(
            title=_("The model is too slow"),
            message=(
                _("{name} was not done after {n} seconds. [models] total_s allows more.")
                if is_total
                else _("{name} sent nothing for {n} seconds. [models] idle_s allows more.")
            ).format(name=name, n=round(seconds)),
        )


class ModelCutError(ModelError):
    """The answer broke off before its end."""

    is_temporary = True

    def __init__(self, name: str) -> None:
        super().__init__(
            title=_("The answer broke off"),
            message=_("{name} broke off in the middle of its answer. What came is kept; ask again.").format(name=name),
        )


class ModelGarbledError(ModelError):
    """What came is no answer of a model."""

    is_temporary = True

    def __init__(self, name: str, what: str) -> None:
        super().__init__(
            title=_("That was no answer of a model"),
            message=_(
                "{name}: what came is {what}. Check the address, and whether the network asks to sign in."
            ).format(name=name, what=what),
        )


class ContextOverflowError(ModelError):
    """The call is longer than the model can take."""

    def __init__(self, name: str) -> None:
        super().__init__(
            title=_("Too long for this model"),
            message=_("{name} cannot take that much at once. Send less, or choose a model with more context.").format(
                name=name
            ),
        )


class CallRefusedError(ModelError):
    """The provider does not take the call as it is."""

    def __init__(self, name: str, status: int) -> None:
        super().__init__(
            title=_("The model does not take this call"),
            message=_(
                "{name} answered with error {status}. `understory models test {name}` says what it can do."
            ).format(name=name, status=status),
        )


class ReplyEndlessError(ModelError):
    """The answer grew beyond any use and was cut by us."""

    def __init__(self, name: str, characters: int) -> None:
        super().__init__(
            title=_("The answer does not end"),
            message=_("{name} was stopped after {n} characters. Ask again, or choose another model.").format(
                name=name, n=characters
            ),
        )


class ToolLoopError(ModelError):
    """The model calls tools without end."""

    def __init__(self, name: str) -> None:
        super().__init__(
            title=_("The model finds no end"),
            message=_(
                "{name} kept looking things up and did not answer. Ask more narrowly, or choose another model."
            ).format(name=name),
        )


class ReplyInvalidError(ModelError):
    """The answer does not have the form that was asked for.

    Attributes:
        fault: What is wrong with it, in words a model can use to mend it.
    """

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(
            title=_("The answer has the wrong form"),
            message=_("{name} answered in a form that cannot be used. Ask again, or choose another model.").format(
                name=name
            ),
        )
        self.fault = fault


class ConsentMissingError(ModelError):
    """Text would go to a host the reader has not agreed to."""

    def __init__(self, name: str, host: str) -> None:
        super().__init__(
            title=_("May text be sent there?"),
            message=_(
                "{name} is at {host}, and text of your books would go there. `understory models allow {host}` agrees."
            ).format(name=name, host=host),
        )
        self.host = host


class SpendingStoppedError(ModelError):
    """A limit the reader has set is reached."""

    def __init__(self, what: str) -> None:
        super().__init__(
            title=_("A limit is reached"),
            message=_("{what}. Nothing more is sent; the Models page changes the limits.").format(what=what),
        )


class ToldModelError(ModelError):
    """A failure in the models' own process, told to this one.

    Attributes:
        kind: Name of its class there.
    """

    def __init__(self, kind: str, title: str, message: str) -> None:
        super().__init__(title=title, message=message)
        self.kind = kind
