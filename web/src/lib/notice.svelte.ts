// What a screen has to say for as long as it is shown; it stands above everything else.

export const notice = $state({ text: "" });
